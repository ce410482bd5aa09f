// drizzle-kit reads a module's exports, and those of an ES module cannot be computed.
module.exports = require("./schema.ts").sources;
