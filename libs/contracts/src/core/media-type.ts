const TOKEN = "[!#$%&'+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\t \\x21-\\x7e])*"';
const PARAMETER = `${TOKEN}=(?:${TOKEN}|${QUOTED})`;

/**
 * A media type with parameters (RFC 9110, section 8.3.1), in ASCII; `*` belongs to media ranges (12.5.1) only. White
 * space between two semicolons matches before the second one only: an ambiguous pattern would backtrack exponentially in
 * the number of semicolons.
 */
export const MEDIA_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?:[\\t ]*;(?:[\\t ]*${PARAMETER})?)*(?:[\\t ]*;[\\t ]*)?$`,
);
