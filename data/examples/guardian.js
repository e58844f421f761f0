// Pays for guards while they are cheap, and stakes Kelly's share. Started once; asked in lines of JSON.
const lines = require("readline").createInterface({ input: process.stdin });

function decide(view) {
  const chance = view.chances[view.bank], odds = view.odds[view.bank];
  if (view.round === 1) return Math.floor(view.credits * Math.max(0, chance - (1 - chance) / odds));
  return chance < 0.8 && view.salary > 100 ? "buy guard" : "!guncheck";
}

lines.on("line", (line) => {
  const asked = JSON.parse(line);
  if (asked.type === "decide") console.log(JSON.stringify({ id: asked.id, answer: decide(asked.view) }));
});
