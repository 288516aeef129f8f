// npm run races: races under faults. It is bundled, because they start services of this checkout from their sources.
import { loadSource } from '../build/load-source.ts';

await loadSource(new URL('./main.ts', import.meta.url), 'races');
