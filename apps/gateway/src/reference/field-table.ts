import { schemaOf, type Class, type JsonSchema, type PublicOperation } from '@vaultsvc/contracts';
import { html, type Html } from './html.js';
import { sessionParameters } from './session-parameters.js';

interface Row {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** The fields of a body, of a query or of a path; nothing where there are none. */
export function fieldTable(title: string, type: Class<object> | undefined): Html {
  if (!type) return html``;
  const { properties = {}, required = [] } = schemaOf(type);
  const rows = Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeText(field),
    required: required.includes(name),
    description: field.description ?? '',
  }));
  return table(title, rows);
}

/** The header and the cookie of session operations. */
export function sessionTable(op: PublicOperation): Html {
  const rows = sessionParameters(op).map(({ name, in: place, ...rest }) => ({ name, type: place, ...rest }));
  return rows.length === 0 ? html`` : table('Header and cookie', rows);
}

function table(title: string, rows: readonly Row[]): Html {
  return html`<h4>${title}</h4>
    <div class="scroll">
      <table>
        ${rows.map(
          ({ name, type, required, description }) =>
            html`<tr>
              <td><code>${name}</code></td>
              <td>${type}</td>
              <td>${required ? 'required' : 'optional'}</td>
              <td>${description}</td>
            </tr>`,
        )}
      </table>
    </div>`;
}

const formats = { email: 'e-mail address', uri: 'https URL' };

/** What a value may be, in a few words. */
export function typeText({
  type,
  format,
  pattern,
  minimum,
  maximum,
  maxLength,
  ...rest
}: JsonSchema): string {
  const { enum: values, properties } = rest;
  const [base = '', ...others] = [type ?? []].flat();
  const orNull = others.map((other) => ` or ${other}`).join('');
  if (values) return `${values.filter((value) => value !== null).join(' | ')}${orNull}`;
  if (base === 'object') return `${properties ? 'object' : 'object of any keys'}${orNull}`;
  if (pattern !== undefined) return `${base} like ${pattern}${orNull}`;
  if (minimum !== undefined || maximum !== undefined)
    return `${base}, ${minimum ?? ''} to ${maximum ?? ''}${orNull}`;
  const name = format ? formats[format] : base;
  return maxLength === undefined ? `${name}${orNull}` : `${name}, at most ${maxLength} characters${orNull}`;
}
