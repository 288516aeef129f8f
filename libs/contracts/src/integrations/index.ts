export * from './app.js';
export * from './connection.js';
export * from './installation.js';
