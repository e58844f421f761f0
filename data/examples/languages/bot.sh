# Bank Heist: stakes one credit, and goes in with the others.
if [ $# -gt 0 ]; then
    echo 1
    exit
fi
while read -r line; do
    case $line in
    *'"type": "decide"'*)
        id=${line#*'"id": '}
        echo "{\"id\": ${id%%,*}, \"answer\": 1}"
        ;;
    esac
done
