const TOKEN = "[!#$%&'+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\t \\x21-\\x7e])*"';

/** RFC 9110 section 8.3.1: type/subtype and parameters, in ASCII. `*` is for ranges (12.5.1), not for content. */
export const MEDIA_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?:[\\t ]*;[\\t ]*(?:${TOKEN}=(?:${TOKEN}|${QUOTED}))?)*$`,
);
