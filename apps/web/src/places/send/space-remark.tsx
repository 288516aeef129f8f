import { sendTexts } from '../../texts/send.js';
import { Button } from '../../ui/button.js';
import { draftStore } from './draft.js';

/** Says that a text begins or ends with a space, which is sent unless the person removes it: some secrets have one. */
export function SpaceRemark({ text }: { readonly text: string }) {
  const startsWithSpace = /^\s+\S/.test(text);
  const endsWithSpace = /\S\s+$/.test(text);
  if (!startsWithSpace && !endsWithSpace) return null;
  return (
    <div className="remark" role="status">
      <p>{endsWithSpace ? sendTexts.endsWithSpace : sendTexts.startsWithSpace}</p>
      <Button
        kind="quiet"
        onPress={() => draftStore.update({ text: endsWithSpace ? text.trimEnd() : text.trimStart() })}
      >
        {sendTexts.removeSpace}
      </Button>
    </div>
  );
}
