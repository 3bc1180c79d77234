from e2.cli.main import main

main()
