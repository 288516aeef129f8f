import { sendTexts } from '../../texts/send.js';
import { Select } from '../../ui/select.js';
import { draftStore, lifetimes, type Draft } from './draft.js';

export function ExpiryField({ draft }: { readonly draft: Draft }) {
  return (
    <Select
      label={sendTexts.expiry}
      value={draft.lifetime}
      onChange={(lifetime) => draftStore.update({ lifetime })}
      options={lifetimes.map((value) => ({ value, text: sendTexts.expiryOf(Number(value)) }))}
    />
  );
}
