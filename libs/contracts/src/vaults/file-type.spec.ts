import { describe, expect, it } from '@jest/globals';
import { fileTypeOf } from './file-type.js';
import { fileTypes } from './ingot.js';

const expected = {
  image: ['a.jpg', 'IMG_0001.JPEG', 'a.png', 'a.heic', 'a.svg', 'a.webp', 'a.CR2', 'a.tiff'],
  video: ['a.mp4', 'a.MOV', 'a.mkv', 'a.webm', 'a.avi', 'a.mpeg'],
  audio: ['a.mp3', 'a.wav', 'a.flac', 'a.m4a', 'a.ogg'],
  document: ['a.pdf', 'Report.final.DOCX', 'a.odt', 'a.txt', 'a.md', 'a.rtf', 'a.eml'],
  spreadsheet: ['a.xlsx', 'a.csv', 'a.ods', 'a.numbers'],
  presentation: ['a.pptx', 'a.key', 'a.odp'],
  archive: ['a.zip', 'a.tar.gz', 'a.7z', 'a.rar', 'a.iso', 'v1.2.tgz'],
  code: ['a.ts', 'a.py', 'a.json', 'a.html', 'a.rs', 'a.sql', 'a.c'],
  design: ['a.psd', 'a.ai', 'a.sketch', 'a.fig', 'a.indd'],
  cad: ['a.dwg', 'a.dxf', 'a.step', 'a.stl'],
  ebook: ['a.epub', 'a.mobi', 'a.azw3'],
  font: ['a.ttf', 'a.otf', 'a.woff2'],
  other: [
    'readme',
    'pdf',
    '.pdf',
    '.profile',
    'a.',
    'a.unknown',
    'a.pdf ',
    'a.zip/b',
    'a.constructor',
    'a.__proto__',
    '.',
    '',
  ],
};

describe('ING-14: the category of a file follows from the extension of its name', () => {
  it.each(Object.entries(expected))('%s', (type, names) => {
    expect(names.map(fileTypeOf)).toEqual(names.map(() => type));
  });

  it('and every category is some extension’s', () => {
    expect(Object.keys(expected)).toEqual(fileTypes);
  });
});
