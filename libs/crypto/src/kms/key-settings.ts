import type { Rule, Secret } from '@vaultsvc/config';
import type {
  AwsSettings,
  FileSettings,
  KeySettings,
  TransitAuth,
  TransitRandom,
  TransitSettings,
} from './provider/settings.js';
import type { ProviderName } from './provider/ciphertext-form.js';

/** The names of settings of a key begin with one of these. */
export type Prefix = 'KMS_' | 'KMS_SECOND_';

type Settings = Readonly<Record<string, unknown>>;

/** Of systemd, in its folder of credentials. */
const PASSPHRASE_CREDENTIAL = 'kms-passphrase';
/** Where Kubernetes mounts the token of the pod's service account. */
const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** The settings of the key whose settings begin with the prefix; undefined without a provider. */
export function keySettingsOf(config: Settings, prefix: Prefix): KeySettings | undefined {
  switch (config[`${prefix}PROVIDER`] as ProviderName | 'none') {
    case 'aws':
      return awsSettings(config, prefix);
    case 'transit':
      return transitSettings(config, prefix);
    case 'file':
      return fileSettings(config, prefix);
    case 'none':
      return undefined;
  }
}

function awsSettings(config: Settings, prefix: Prefix): AwsSettings {
  const endpoint = textOf(config, `${prefix}ENDPOINT`);
  const accessKeyId = textOf(config, 'AWS_ACCESS_KEY_ID');
  const secretAccessKey = (config['AWS_SECRET_ACCESS_KEY'] as Secret).reveal();
  return {
    provider: 'aws',
    region: textOf(config, `${prefix}REGION`),
    keyId: textOf(config, `${prefix}KEY_ID`),
    ...(endpoint && { endpoint }),
    ...(accessKeyId && { credentials: { accessKeyId, secretAccessKey } }),
  };
}

function transitSettings(config: Settings, prefix: Prefix): TransitSettings {
  const of = (name: string) => textOf(config, `${prefix}TRANSIT_${name}`);
  const auth = of('AUTH') as TransitAuth;
  const secret = config[`${prefix}TRANSIT_SECRET`] as Secret;
  return {
    provider: 'transit',
    url: of('URL'),
    mount: of('MOUNT'),
    namespace: of('NAMESPACE'),
    keyName: keyName(config, prefix),
    auth,
    authMount: of('AUTH_MOUNT') || auth,
    role: of('ROLE'),
    secret,
    secretFile: of('LOGIN_FILE') || (auth === 'kubernetes' ? SERVICE_ACCOUNT_TOKEN : ''),
    // The second key wraps nothing and draws nothing.
    random: (prefix === 'KMS_' ? of('RANDOM') : 'refused') as TransitRandom,
  };
}

function fileSettings(config: Settings, prefix: Prefix): FileSettings {
  const folder = textOf(config, 'CREDENTIALS_DIRECTORY');
  const passphraseFile =
    textOf(config, `${prefix}PASSPHRASE_FILE`) || (folder && `${folder}/${PASSPHRASE_CREDENTIAL}`);
  return {
    provider: 'file',
    file: textOf(config, `${prefix}KEYS_FILE`),
    passphraseFile,
    isSystemdCredential: folder !== '' && passphraseFile.startsWith(`${folder}/`),
    keyName: keyName(config, prefix),
  };
}

/** AWS alone has aliases. */
function keyName(config: Settings, prefix: Prefix): string {
  return textOf(config, `${prefix}KEY_ID`).replace(/^alias\//, '');
}

function textOf(config: Settings, name: string): string {
  return config[name] as string;
}

/** A setting without which these providers do not work. */
export function neededBy(prefix: Prefix, ...providers: ProviderName[]): Rule<string> {
  return (value, config) => {
    const provider = config[`${prefix}PROVIDER`] as ProviderName;
    return value === '' && providers.includes(provider)
      ? `is required with ${prefix}PROVIDER=${provider}`
      : undefined;
  };
}

/** A passphrase file, unless systemd gives one. */
export function passphraseNeeded(prefix: Prefix): Rule<string> {
  const needed = neededBy(prefix, 'file');
  return (value, config) => (config['CREDENTIALS_DIRECTORY'] === '' ? needed(value, config) : undefined);
}

/** The role of a login. A token has none. */
export function roleNeeded(prefix: Prefix): Rule<string> {
  const needed = neededBy(prefix, 'transit');
  return (value, config) => (config[`${prefix}TRANSIT_AUTH`] === 'token' ? undefined : needed(value, config));
}

/** A token or a secret id, in a setting or a file. Kubernetes has a file of its own. */
export function secretNeeded(prefix: Prefix): Rule<Secret> {
  const needed = neededBy(prefix, 'transit');
  return (value, config) => {
    const hasFile =
      config[`${prefix}TRANSIT_LOGIN_FILE`] !== '' || config[`${prefix}TRANSIT_AUTH`] === 'kubernetes';
    return hasFile ? undefined : needed(value.reveal(), config);
  };
}

/** The first problem of several rules. */
export function allOf<T>(...rules: Rule<T>[]): Rule<T> {
  return (value, config) => {
    for (const rule of rules) {
      const problem = rule(value, config);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}
