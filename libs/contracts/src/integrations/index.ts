export * from './app.js';
export * from './chat-analytics.js';
export * from './chat-webhooks.js';
export * from './connection.js';
export * from './installation.js';
