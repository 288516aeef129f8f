// npm run generate -- vaults.read-activity GET '/v1/vaults/{vault_id}/activity' [--in vault] [--vat read]
import { parseArgs } from 'node:util';
import { workspace } from '../stack/settings.ts';
import { generateOperation, SAMPLES } from './generate-operation.ts';
import { readRequest, usage } from './names.ts';

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { in: { type: 'string' }, vat: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    process.exit();
  }
  const request = readRequest(positionals, values);
  const { contract, handler, spec, lists, hasSample, isNewResource } = await generateOperation(
    workspace,
    request,
  );
  process.stdout.write(`Written: ${contract}${isNewResource ? ' (a new resource)' : ''}, ${handler}, ${spec}.
Listed in: ${[...lists, ...(hasSample ? [SAMPLES] : [])].join(', ')}.
That was step 1 of "An endpoint in five steps" in CONTRIBUTING.md. Next:
  2. Contract: ${contract}: access, fields, reply, errors and summary.
  3. Data: a method of the resource's repository. If the stored data changes, apps/${request.service}/src/migrations and storage.ts.
  4. Spec: ${spec}: the guarantees, which fail until the handler is implemented.
     docs/requirements.md: a line, if the requirement is new.
  5. Handler: ${handler}.
Then ${hasSample ? 'check the added input of a successful call' : 'add the input of a successful call'} in ${SAMPLES},${request.vat ? `\nadd it to the operations that need a Vault Access Token in apps/e2e/src/access/access-matrix.spec.ts,` : ''}
add its row to apps/e2e/src/law/<resource>.ts and a line to CHANGELOG.md,${isNewResource ? `\nadd the new folder to tools/lint/folders.ts and to docs/ARCHITECTURE.md,` : ''}
and run npm run docs and npm test.
`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
