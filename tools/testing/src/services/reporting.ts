export { reporting } from '../../../../apps/reporting/src/service-definition.js';
