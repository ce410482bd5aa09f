// drizzle-kit reads the exports of a module, and `sources` is computed.
module.exports = require("./schema.ts").sources;
