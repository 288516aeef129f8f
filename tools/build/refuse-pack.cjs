'use strict';
// npm pack and npm publish in the folder of a lib would take its sources.
const lib = process.argv[2];
process.stderr.write(
  `libs/${lib} has the sources. Build the package and take its folder: npm run build && npm pack ./libs/${lib}/dist\n`,
);
process.exitCode = 1;
