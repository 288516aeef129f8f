import { stopStackOfRun } from './e2e-stack.ts';

export default async function stopEndToEnd() {
  await stopStackOfRun();
}
