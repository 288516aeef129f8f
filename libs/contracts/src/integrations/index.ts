export * from './app.js';
export * from './chat-analytics.js';
export * from './chat-webhooks.js';
export * from './connection.js';
export * from './crm-panels.js';
export * from './crm-records.js';
export * from './installation.js';
