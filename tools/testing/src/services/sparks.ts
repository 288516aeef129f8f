export { sparks } from '../../../../apps/sparks/src/sparks.service.js';
