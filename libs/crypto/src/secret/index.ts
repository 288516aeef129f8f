/** The wrapper that no log or JSON shows. It lives in config, because settings are the first secrets there are. */
export { Secret } from '@vaultsvc/config';
