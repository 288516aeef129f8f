import { endRun } from './test-run.ts';

export default async function globalTeardown() {
  await endRun();
}
