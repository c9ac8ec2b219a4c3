"""The commands of `oraculo`, one module each, imported when called. To add one, name it in bot.cli.COMMANDS."""
