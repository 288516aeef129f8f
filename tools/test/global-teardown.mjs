import { endRun } from './test-run.mjs';

export default async function globalTeardown() {
  await endRun();
}
