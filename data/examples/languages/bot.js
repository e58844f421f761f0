// Bank Heist: stakes one credit, and goes in with the others.
if (process.argv.length > 2) {
  console.log(1);
} else {
  const lines = require("node:readline").createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const question = JSON.parse(line);
    if (question.type === "decide") console.log(JSON.stringify({ id: question.id, answer: 1 }));
  });
}
