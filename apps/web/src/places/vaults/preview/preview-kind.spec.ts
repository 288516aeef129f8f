import { describe, expect, it } from '@jest/globals';
import { previewOf } from './preview-kind.js';

describe('the preview of a file', () => {
  it.each([
    ['notes.TXT', 'text'],
    ['page.html', 'text'],
    ['logo.svg', 'text'],
    ['photo.jpeg', 'image'],
    ['contract.pdf', 'pdf'],
  ])('shows %s as %s', (name, kind) => {
    expect(previewOf(name)?.kind).toBe(kind);
  });

  it.each(['archive.zip', 'program.exe', 'README', 'pdf', 'a.constructor', 'a.pdf.docx'])(
    'does not show %s',
    (name) => {
      expect(previewOf(name)).toBeUndefined();
    },
  );
});
