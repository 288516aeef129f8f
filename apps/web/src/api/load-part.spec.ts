import { expect, it } from '@jest/globals';
import { errorText } from './error-text.js';
import { loadPart } from './load-part.js';

it('WEB-10: says of a part whose file is gone that it was not loaded, and that nothing is lost by trying again', async () => {
  const gone = new TypeError('Failed to fetch dynamically imported module: https://api.test/web/x.js');
  const error = await loadPart(() => Promise.reject(gone)).catch((caught: unknown) => caught);
  expect(errorText(error)).toBe(
    'A part of this page could not be loaded. Try again. If that does not help, copy what you have typed, and reload the page.',
  );
});

it('WEB-10: passes on what was loaded', async () => {
  expect(await loadPart(() => Promise.resolve({ Place: 1 }))).toEqual({ Place: 1 });
});
