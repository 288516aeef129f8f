import { useKept } from '../../api/kept.js';
import { draftStore } from './draft.js';
import { Result } from './result.js';
import { SendForm } from './send-form.js';

/** Sends a text, an address or a small file that can be read once. */
export function Place() {
  const { result } = useKept(draftStore);
  return result ? <Result link={result} /> : <SendForm />;
}
