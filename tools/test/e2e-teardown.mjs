import { stopStackOfRun } from './e2e-stack.mjs';

export default async function stopEndToEnd() {
  await stopStackOfRun();
}
