// What every adapter in JavaScript needs: lines in, lines out, hello, and `unsupported` for what the engine has no word for.
"use strict";
const readline = require("node:readline");

const UNSUPPORTED = Symbol("unsupported");

function serve(about, answers) {
  const write = (value) => process.stdout.write(JSON.stringify(value) + "\n");
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const asked = JSON.parse(line);
    if (asked.hello) return write({ hello: { protocol: 1, ...about } });
    const answer = answers[asked.ask]?.(asked.input, asked.edition) ?? UNSUPPORTED;
    if (answer === UNSUPPORTED) return write({ question: asked.question, unsupported: "the engine has no such answer" });
    write({ question: asked.question, answer });
  });
}

// Only the parts that the engine can say: what it leaves out is "cannot tell", never a failure.
function known(names, say) {
  const parts = names.map((name) => [name, say(name)]).filter(([, value]) => value !== undefined);
  return parts.length ? Object.fromEntries(parts) : undefined;
}

module.exports = { serve, known, UNSUPPORTED };
