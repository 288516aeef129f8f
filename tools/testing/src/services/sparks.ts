export { sparks } from '../../../../apps/sparks/src/service-definition.js';
export { emptyKeyCaches } from '../../../../apps/sparks/src/testing/key-caches.js';
