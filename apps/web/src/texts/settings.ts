/** Texts of the settings of the organization. */
export const settingsTexts = {
  title: 'Settings',
  hint: 'They apply to your whole organization.',
  refused: 'Settings are for admins and owners of your organization.',
  organization: 'Organization',
  name: 'Name',
  nameHint: 'Invitations name it, and links if you turn that on.',
  logoLight: 'Logo for light pages (optional)',
  logoDark: 'Logo for dark pages (optional)',
  logoHint: 'The address of an image, which begins with https://.',
  save: 'Save',
  saved: 'The settings were saved.',
  links: 'Links',
  asksFirst: 'Ask before a link opens',
  asksFirstHint:
    'Visitors confirm on the page first, so that a program that only looks does not use the link up.',
  showsOrganization: 'Show the name of your organization',
  showsOrganizationHint: 'Visitors read “Shared by” and the name above. Nobody has checked the name.',
} as const;
