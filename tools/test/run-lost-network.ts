// npm run lost-network: the journeys of the web application, with the network lost at each of their calls in turn; `npm test` draws one.
import { stopOnSignals } from './children.ts';
import { runJest } from './jest-run.ts';

stopOnSignals();
process.env.LOST_CALLS = 'all';
const { passed, failed } = await runJest(['apps/e2e/src/web/lost-network.e2e.ts']);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
