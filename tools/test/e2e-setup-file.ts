import { untilStackIsReady } from './e2e-stack.ts';

await untilStackIsReady(process.env.STACK_JSON ?? '');
