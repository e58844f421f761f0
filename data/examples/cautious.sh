# Stakes a tenth at the banks that are worth it, and leaves when others do. Started for each decision.
round=$2 heisters=$5 committed=$7 acted=$4 bank=$8 credits=$9
shift 21 # now $1 to $5 are the chances, $6 to $10 the odds
if [ "$round" = 1 ]; then
    shift "$bank"
    worth=$(echo "$1 $6" | awk '{ print ($1 * (1 + $2) > 1) }') # what a credit brings back
    echo $((worth * credits / 10))
elif [ $((committed * 5)) -lt $((acted * 4)) ]; then
    echo "back out" # more than a fifth have left, and each makes it harder
else
    echo "!guncheck"
fi
