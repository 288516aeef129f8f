// npm run audit: verifies exports of the audit log offline. Without arguments it prints its help.
import { loadSource } from '../build/load-source.ts';

const { runAudit } = await loadSource(new URL('./main.ts', import.meta.url), 'audit');
process.exitCode = await runAudit(process.argv.slice(2));
