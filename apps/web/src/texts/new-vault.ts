/** Texts of a new vault and its master key. */
export const newVaultTexts = {
  title: 'Create a vault',
  hint: 'You get a key that opens it. Nobody else has this key, not even we.',
  name: 'Name',
  nameHint: 'Your organization sees it.',
  create: 'Create vault',
  nameless: 'Enter a name.',
  keyTitle: 'Keep the key of your vault',
  keyText:
    'It is shown until you close or reload this page, and never again. Without it nobody can open this vault, not even we. Keep it in your password manager, or print it.',
  unkept: (vault: string) =>
    `You have not kept the key of ${vault} yet. It is lost when you close or reload this page.`,
  toKey: 'Keep the key',
  second: 'Let a second person keep a copy: if the only copy is lost, so is all that the vault holds.',
  key: 'Master key',
  sheet: (vault: string, id: string, key: string, date: string) =>
    [
      'Recovery sheet of a vault',
      '',
      `Vault: ${vault}`,
      `Id: ${id}`,
      `Created: ${date}`,
      '',
      `Master key: ${key}`,
      '',
      'This key opens the vault. Without it nobody can: there is no other way in.',
      'Keep this sheet where only those find it who may read the vault.',
      '',
    ].join('\n'),
  sheetName: 'recovery-sheet.txt',
} as const;
