/**
 * The totals of a run of Jest. A spec file that could not be loaded counts as a failure, and so does a skipped test and a
 * run that failed without a failed test.
 * @param json Jest's results, if it wrote them
 * @param code Jest's exit code
 * @param isPart whether tests are chosen by their titles: Jest counts the others as skipped
 */
export function jestTotals(
  json: string | undefined,
  code: number,
  isPart = false,
): { passed: number; failed: number } {
  const results = json ? JSON.parse(json) : {};
  const passed = results.numPassedTests ?? 0;
  const failed =
    (results.numFailedTests ?? 0) +
    (results.numRuntimeErrorTestSuites ?? 0) +
    (isPart ? 0 : (results.numPendingTests ?? 0)) +
    (results.numTodoTests ?? 0);
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed };
}
