/**
 * What a run of Jest counts for. A spec file that could not be loaded is a failure, so is a test that was left
 * out, and so is a run that ended badly without saying which test failed.
 * @param {string | undefined} json Jest's results, if it wrote them
 * @param {number} code Jest's exit code
 * @returns {{ passed: number, failed: number }}
 */
export function jestTotals(json, code) {
  const results = json ? JSON.parse(json) : {};
  const passed = results.numPassedTests ?? 0;
  const failed =
    (results.numFailedTests ?? 0) +
    (results.numRuntimeErrorTestSuites ?? 0) +
    (results.numPendingTests ?? 0) +
    (results.numTodoTests ?? 0);
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed };
}
