export { notify } from '../../../../apps/notify/src/service-definition.js';
