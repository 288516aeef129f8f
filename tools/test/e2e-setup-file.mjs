import { untilStackIsReady } from './e2e-stack.mjs';

await untilStackIsReady(process.env.STACK_JSON ?? '');
