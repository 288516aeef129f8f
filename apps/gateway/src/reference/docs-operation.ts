import { schemaOf, type Class, type JsonSchema, type PublicOperation } from '@vaultsvc/contracts';
import { needsCredential } from '../access/assert-access.js';
import { html, type Html } from './html.js';
import type { ReferenceOptions } from './openapi.js';
import {
  aliasSentence,
  bodySentence,
  cookieSentence,
  errorsOf,
  isLinkOperation,
  sessionParameters,
} from './operation-documentation.js';
import { exampleOf } from './schema-example.js';

/** The id of an operation's section. */
export const anchor = (op: PublicOperation) => op.name.replace('.', '-');
/** The text that the search field of the page matches. */
export const findable = ({ name, summary, http }: PublicOperation) =>
  `${name} ${http.method} ${http.path} ${summary}`.toLowerCase();

/** The section of an operation: access, input, example, reply and errors. */
export function operationSection(op: PublicOperation, options: ReferenceOptions): Html {
  const { http, summary, params, query, body, reply } = op;
  const cookie = cookieSentence(op);
  return html`<section class="op" id="${anchor(op)}" data-find="${findable(op)}">
    <h3><span class="method">${http.method}</span> ${http.path}</h3>
    <p>${summary}</p>
    <p class="access">${accessSentence(op)}</p>
    ${placeOf(op, options)}
    ${sessionTable(op)}${fieldTable('Path', params)}${fieldTable('Query', query)}${fieldTable('Body', body)}
    ${body ? html`<p>${bodySentence(op)}</p>` : html``}
    <h4>Try it</h4>
    <pre>${curlOf(op, options)}</pre>
    <h4>Answer ${http.status}</h4>
    ${reply ? html`<pre>${JSON.stringify(exampleOf(schemaOf(reply)), null, 2)}</pre>` : html`<p>No content.</p>`}
    ${optionalFieldTable(reply)} ${cookie === undefined ? html`` : html`<p>${cookie}</p>`}
    <h4>Errors</h4>
    <div class="scroll">
      <table>
        ${errorsOf(op).map(
          ({ status, code, message }) =>
            html`<tr>
              <td>${status}</td>
              <td><code>${code}</code></td>
              <td>${message}</td>
            </tr>`,
        )}
      </table>
    </div>
  </section>`;
}

/** The origins of an operation that is not on the API's origin. */
function placeOf(op: PublicOperation, { linkOrigins }: ReferenceOptions): Html {
  if (!isLinkOperation(op)) return html``;
  const [link = '', files = ''] = linkOrigins;
  return html`<p>
    At <code>${link}</code> and <code>${files}</code>, where the code's page is, and not at the origin of the
    API. The answer has no envelope. ${aliasSentence(op) ?? ''}
  </p>`;
}

function accessSentence({ access: { credential, role, vat, vatOf } }: PublicOperation): string {
  const kinds = {
    none: 'No credential.',
    optional: 'No credential; a session identifies the visitor.',
    provider: 'Signed by the provider.',
    key: 'API key or session.',
    session: 'Session only; API keys are refused.',
    'identity-only': 'A session that has not completed its sign-up.',
    any: 'API key, or a session of either kind.',
  };
  return [
    kinds[credential],
    role ? 'Admins and owners.' : '',
    vat
      ? `A Vault Access Token that may ${vat}${vatOf === undefined ? '' : `, if the body has ${vatOf}`}.`
      : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function curlOf(op: PublicOperation, { origin, linkOrigins }: ReferenceOptions): string {
  const { http, access, params, body } = op;
  const base = isLinkOperation(op) ? linkOrigins[0] : origin;
  const values: Record<string, string> = params
    ? (exampleOf(schemaOf(params)) as Record<string, string>)
    : {};
  const path = Object.entries(values).reduce<string>(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    http.path,
  );
  const header =
    access.credential === 'key' ? `-H "X-API-Key: $API_KEY"` : `-H "Authorization: Bearer $ACCESS_TOKEN"`;
  const lines = [
    `curl -X ${http.method} ${base}${path}`,
    ...(needsCredential(op) ? [header] : []),
    ...(access.vat && access.vatOf === undefined ? [`-H "X-Vault-Access-Token: $VAT"`] : []),
    ...(body
      ? [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(exampleBody(schemaOf(body)))}'`]
      : []),
  ];
  return lines.join(' \\\n  ');
}

/** The required fields, which are enough for a valid call; all fields where none is required. */
function exampleBody(schema: JsonSchema): unknown {
  const example = exampleOf(schema) as object;
  const required = schema.required as readonly string[] | undefined;
  return required
    ? Object.fromEntries(Object.entries(example).filter(([name]) => required.includes(name)))
    : example;
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** The fields of a body, query or path; empty without any. */
function fieldTable(title: string, type: Class<object> | undefined): Html {
  if (!type) return html``;
  return table(title, rowsOf(type));
}

/** The optional fields of a reply, because its example shows all fields at once. */
function optionalFieldTable(type: Class<object> | undefined): Html {
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

/** The header and the cookie of a session operation. */
function sessionTable(op: PublicOperation): Html {
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

/** Type and limits of a value in a few words. */
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
