/**
 * The catalogue: all texts of the application, in one folder with a file for each place, so that a place loads its own texts only. A text
 * with values is a function, and its plurals come from `plural`. Another language is a second file of the same type.
 */
export const language = 'en';

/** The form of dates: `3 Nov 2026, 14:03`, which nobody reads as the 11th of March. */
export const region = 'en-GB';

const rules = /* @__PURE__ */ new Intl.PluralRules(language);
const numbers = /* @__PURE__ */ new Intl.NumberFormat(language);

/** The form of a text for a number: `plural(2, { one: '# file', other: '# files' })` is `2 files`. */
export function plural(
  count: number,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string },
): string {
  return (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count));
}

export const numberText = (value: number): string => numbers.format(value);
