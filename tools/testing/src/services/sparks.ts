export { sparks } from '../../../../apps/sparks/src/service-definition.js';
