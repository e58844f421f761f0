# Bank Heist: stakes one credit, and goes in with the others.
require "json"

$stdout.sync = true
if ARGV.any?
  puts 1
else
  $stdin.each_line do |line|
    question = JSON.parse(line)
    puts JSON.generate(id: question["id"], answer: 1) if question["type"] == "decide"
  end
end
