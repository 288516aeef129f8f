/** Texts of the preview of a file. */
export const previewTexts = {
  reading: (percent: number) => `Reading the file: ${percent} %`,
  failed:
    'Your browser cannot show this file. It may be damaged, or have another type than its name says. Download it.',
  locked: 'This document asks for a password. Download it to open it.',
  content: (name: string) => `Content of ${name}`,
  page: 'Page # of ##',
  download: 'Download',
} as const;
