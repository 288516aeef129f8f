const TOKEN = "[!#$%&'+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\t \\x21-\\x7e])*"';
const PARAMETER = `${TOKEN}=(?:${TOKEN}|${QUOTED})`;

/**
 * RFC 9110 section 8.3.1: type/subtype and parameters, in ASCII. `*` is for ranges (12.5.1), not for content. Blanks
 * between two semicolons belong to the second one alone: were they free to belong to either, a text that does not match
 * would be tried in as many ways as there are to share them out, twice as many with each semicolon.
 */
export const MEDIA_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?:[\\t ]*;(?:[\\t ]*${PARAMETER})?)*(?:[\\t ]*;[\\t ]*)?$`,
);
