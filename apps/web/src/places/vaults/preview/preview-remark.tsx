import { filesTexts as texts } from '../../../texts/files.js';
import { bytesText } from '../../../ui/format.js';
import { previewMax, previewOf } from './preview-kind.js';

/** Says before the press what a preview does, or why there is none. */
export function PreviewRemark({ name, size }: { readonly name: string; readonly size: number }) {
  return <p className="hint">{remarkOf(name, size)}</p>;
}

function remarkOf(name: string, size: number): string {
  const form = previewOf(name);
  if (!form) return texts.notPreviewed;
  const most = previewMax[form.kind];
  return size > most ? texts.tooLarge(bytesText(size), bytesText(most)) : texts.previewHint;
}
