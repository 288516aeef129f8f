// npm run services-down: tries every route with each service down in turn.
import { stopOnSignals } from './children.ts';
import { runJest } from './jest-run.ts';

stopOnSignals();
process.env.ROUTES = 'all';
const { passed, failed } = await runJest(['apps/e2e/src/law/services-down.spec.ts']);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
