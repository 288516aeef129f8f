export { CreateMessagingTables1700000000000 } from './create-messaging-tables.migration.js';
