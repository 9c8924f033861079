// Judges data by JSON Schema with ajv. Each line of the input is {"schema": ...}, which holds from then on, or
// {"data": [...]}, to which the answer is a line with 1 or 0 for each.
const Ajv = require("ajv/dist/2020");
const lines = require("readline").createInterface({ input: process.stdin });
let validate;
lines.on("line", (line) => {
  const asked = JSON.parse(line);
  if (asked.schema) {
    validate = new Ajv({ logger: false, ...asked.options }).compile(asked.schema);
  } else {
    console.log(asked.data.map((each) => (validate(each) ? "1" : "0")).join(""));
  }
});
