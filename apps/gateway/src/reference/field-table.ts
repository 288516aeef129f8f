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
  return table(title, rowsOf(type));
}

/** The fields of an answer that are there sometimes: its example shows all at once, which no answer does. */
export function optionalFieldTable(type: Class<object> | undefined): Html {
  const rows = type ? rowsOf(type).filter((row) => !row.required && row.description !== '') : [];
  return rows.length === 0 ? html`` : table('Not in every answer', rows);
}

function rowsOf(type: Class<object>): Row[] {
  const { properties = {}, required = [] } = schemaOf(type);
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeText(field),
    required: required.includes(name),
    description: field.description ?? '',
  }));
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
export function typeText(schema: JsonSchema): string {
  const text = boundsText(schema);
  return schema.default === undefined ? text : `${text}; ${schema.default} unless said`;
}

function boundsText(schema: JsonSchema): string {
  const [base = '', ...others] = [schema.type ?? []].flat();
  const orNull = others.map((other) => ` or ${other}`).join('');
  if (schema.enum) return `${schema.enum.filter((value) => value !== null).join(' | ')}${orNull}`;
  if (base === 'object') return `${objectText(schema)}${orNull}`;
  if (base === 'array') return `${arrayText(schema)}${orNull}`;
  return `${scalarText(schema, base)}${orNull}`;
}

function objectText({ properties, maxProperties }: JsonSchema): string {
  if (properties) return 'object';
  return maxProperties === undefined ? 'object of any keys' : `object of at most ${maxProperties} keys`;
}

function arrayText({ items, maxItems }: JsonSchema): string {
  const [base] = [items?.type ?? []].flat();
  const of = base === undefined ? 'array' : `array of ${base}s`;
  return maxItems === undefined ? of : `${of}, at most ${maxItems}`;
}

function scalarText({ format, pattern, minimum, maximum, maxLength }: JsonSchema, base: string): string {
  if (pattern !== undefined) return `${base} like ${pattern}`;
  if (minimum !== undefined && maximum !== undefined) return `${base}, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${base}, at least ${minimum}`;
  const name = format ? formats[format] : base;
  return maxLength === undefined ? name : `${name}, at most ${maxLength} characters`;
}
