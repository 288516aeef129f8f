/** Texts of a key that is shown once. */
export const keptKeyTexts = {
  hidden: 'The key is hidden now.',
  copyKey: 'Copy key',
  save: 'Save as file',
  print: 'Print',
  kept: 'I have kept it',
  check: 'Enter the last 6 characters of the key',
  checkHint: 'Look them up where you have kept the key.',
  wrong: 'These are other characters. Look again where you have kept the key.',
  showAgain: 'Show the key again',
  continue: 'Continue',
} as const;
