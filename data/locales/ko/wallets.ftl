# 지갑: 선물과 그 한도, 매니저가 주고 거두는 것, 크레딧의 내역, 순위.

setting-credits-give_start = 처음 받은 몫까지 선물할 수 있는지. no(아니요)면 새 계정 여럿으로 한 계정을 불릴 수 없어요
setting-credits-give_most = 한 번에 선물할 수 있는 최대치. 0이면 제한 없음
setting-credits-give_daily = 한 사람이 하루(UTC)에 선물할 수 있는 총량. 0이면 제한 없음
setting-credits-taken_daily = 한 사람이 하루(UTC)에 남에게서 받을 수 있는 전부: 선물, 연결된 지갑, 다른 사람에게서 딴 돈. 0은 제한 없음
setting-credits-house_daily = 하우스 플레이어가 한 사람에게 하루(UTC) 동안 모든 게임에서 잃을 수 있는 돈. 그 이상이거나 0이면 판돈 없이 함
setting-credits-give_age = 이곳에 처음 온 뒤 얼마가 지나야 선물할 수 있는지. 0이면 바로
setting-credits-grant_most = !grant 나 !take 한 번에 옮길 수 있는 최대치
setting-credits-grant_daily = 매니저 한 사람이 하루(UTC)에 !grant로 줄 수 있는 총량. 되돌린 것도 세요
setting-credits-grant_confirm = 매니저 한 사람이 하루(UTC)에 다른 매니저의 확인 없이 !grant로 줄 수 있는 총량, 그리고 설정이 하루에 기본값보다 더 만들 수 있는 양
setting-credits-skip_gone = 디스코드 서버 등에서 나간 사람을 순위에서 뺄지. no(아니요)면 표시만 해요

# 선물
give-excluded = { $who }님은 여기서 { currency } 적립이 안 되는 명단에 올라 있어서 선물하지 않았어요.
give-most = 여기서는 한 번에 최대 { $most }까지 선물할 수 있어요.
give-start = { $spare ->
    [0] 누구나 처음에 받는 { $start }만큼은 선물할 수 없어요. 그보다 더 따거나 벌면 선물할 수 있어요.
   *[other] 누구나 처음에 받는 { $start }만큼은 선물할 수 없어요. 지금은 { $left }까지 선물할 수 있어요.
  }
give-daily = 하루에 최대 { $most }까지만 선물할 수 있어요. 오늘 더 선물할 수 있는 양: { $left }. 새 날까지 남은 시간: { $wait }.
receipts-own = 여기서 다른 사람의 돈을 { $credits }까지 딸 수 있는데, 오늘 다른 사람에게서 더 받을 수 있는 건 { $left }뿐이에요. 선물과 다른 사람에게서 딴 돈은 하루에 { $most }까지예요. 판돈을 줄이거나 { $wait } 뒤에 다시 오세요.
receipts-other = 그러면 { $who }님이 다른 사람의 돈을 { $credits }까지 딸 수 있는데, 오늘 더 받을 수 있는 건 { $left }뿐이에요. 하루에 { $most }까지이고, { $wait } 뒤에 바뀌어요.
lobby-honour = 다른 사람이 오지 않으면 판돈 없이 하고, 건 { $stake } 돌려드려요. { $reason }
lobby-honour-only = 여기서 하우스 플레이어는 판돈 없이만 해요.
lobby-honour-strategies = 이런 게임에서는 하우스 플레이어가 { currency } 걸지 않아요.
lobby-honour-most = 하우스 플레이어에게서 딸 수 있는 건 하루 { $most }까지예요.
lobby-honour-limit = 오늘 하우스 플레이어에게서 더 딸 수 있는 건 하루 { $most } 가운데 { $left }뿐이에요. { $wait } 뒤에 바뀌어요.
lobby-returned = 다른 사람이 오지 않아 { $who }님의 { $stake } 돌려드렸어요. 하우스 플레이어와 판돈 없이 겨뤄요.
lobby-button-start = 바로 시작
lobby-started = { $who }님이 더 기다리지 않고 바로 시작해요.
lobby-you-started = 바로 시작할게요!
lobby-start-too-late = 이미 시작했어요.
lobby-start-not-in = 참가한 사람만 시작할 수 있어요. 먼저 참가해 주세요.
lobby-start-others = 다른 사람도 함께 있어서, 시간이 되면 저절로 시작해요.
lobby-start-company = 함께할 수도 있는 사람들이 있어요. 로비는 시간이 되면 닫혀요.
lobby-start-nobody = 혼자서는 할 수 없어요. 한 명이 더 참가해야 해요.
give-taken = 선물은 하루에 최대 { $most }까지만 받을 수 있어요. 오늘 { $who }님이 더 받을 수 있는 양: { $left }. 새 날까지 남은 시간: { $wait }.
give-too-new = 처음 온 뒤 { $hours }시간이 지나야 선물할 수 있어요. 남은 시간: { $wait }.

# 매니저가 주고 거두는 것
help-grant = { currency } 잔액을 새로 만들어 줘요. 뒤에 이유를 적을 수 있고, !undo로 되돌려요.
help-take = 가진 { currency } 일부를 거둬요. 뒤에 이유를 적을 수 있고, !undo로 돌려줘요.
help-creditsset = 잔액을 정한 만큼으로 맞춰요. 모자라면 주고 남으면 거둬요. !credits set으로도 돼요.
option-grant-member = 받는 사람
option-grant-amount = 69, 5k, 1m 같은 크레딧
option-grant-reason = 기록에 남길 이유
option-take-member = 거둘 사람
option-take-amount = 69, 1k, 25%, half, all 같은 크레딧
option-take-reason = 기록에 남길 이유
option-creditsset-member = 누구의 크레딧인지
option-creditsset-amount = 맞출 잔액(예: 500, 5k, 0)
option-creditsset-reason = 기록에 남길 이유
help-granthere = 지금 있는 모두에게 똑같이 줘요. !grant here로도 돼요.
help-grantregulars = 단골 모두에게 똑같이 줘요. !grant regulars로도 돼요.
help-rain = 지금 있는 모두에게 나눠 줘요. 내 지갑에서 나가고, 매니저는 새로 만들어 줘요.
help-creditssetall = !confirm 뒤에 모두의 잔액을 정한 만큼으로 맞춰요. !credits set all로도 돼요.
option-granthere-amount = 한 사람이 받을 크레딧(예: 69, 5k, 1m)
option-granthere-reason = 기록에 남길 이유
option-grantregulars-amount = 한 사람이 받을 크레딧(예: 69, 5k, 1m)
option-grantregulars-reason = 기록에 남길 이유
option-rain-amount = 모두가 나눠 받을 크레딧(예: 500, 5k, 25%)
option-creditssetall-amount = 모두가 가질 잔액(예: 100, 5k, 0)
option-creditssetall-reason = 기록에 남길 이유
crowd-granted = { $moderator }님이 { $crowd }에게 { $amount }씩 지급했어요{ $reason }. 모두 { $total }{ $by }.
crowd-by = , { $by }님이 확인
crowd-ask = { $moderator }님이 { $crowd }에게 { $amount }씩, 모두 { $total } 지급하려고 해요{ $reason }. 그러면 오늘 혼자 지급할 수 있는 { $most } 한도를 넘어요.
crowd-who-here = 지금 있는 { $count }명
crowd-who-rain = 지금 있는 { $count }명
crowd-who-regulars = 단골 { $count }명
crowd-who-all = 멤버 { $count }명
crowd-nobody-here = 지금 다른 사람이 없어서 지급하지 않았어요.
crowd-unknown = 여러 명에게 줄 수 있는 대상은 다음과 같아요: { $known }.
crowd-nobody = 아직 지갑이 있는 사람이 없어요.
crowd-no-regulars = 다른 단골이 없어요. !regular @이름으로 정해 주세요.
crowd-too-many = 모두 { $count }명인데, 한 번에 { $most }명까지만 돼요.
crowd-most = 모두 합치면 { $total }인데, 한 번에 { $most }까지만 옮길 수 있어요.
rained = { $who }님이 { $count }명에게 { $amount }씩 뿌렸어요!{ $full ->
    [0] {""}
   *[other] {" "}{ $full }명은 오늘 더 받을 수 없어요.
  }
rain-too-little = { $count }명에게 하나씩도 안 돼요.
rain-nobody = 지금 있는 사람 가운데 오늘 그만큼 받을 수 있는 사람이 없어서 나누지 않았어요.
credits-set-all-ask = 지갑 { $count }개의 잔액을 모두 똑같이 맞춰요. 각각 { $amount }.
credits-set-all = { $moderator }님이 { $crowd }의 잔액을 똑같이 맞췄어요. 각각 { $amount }{ $reason }{ $by }.
credits-set-all-same = 모두 이미 { $amount } 보유 중이에요.
credits-set-same = { $who }님은 이미 { $balance } 보유 중이에요.
granted = { $moderator }님이 { $who }님에게 { $amount } 지급했어요{ $reason }.
granted-confirmed = { $moderator }님이 { $who }님에게 { $amount } 지급했어요{ $reason }. { $by }님이 확인했어요.
grant-ask = { $moderator }님이 { $who }님에게 { $amount } 지급하려고 해요{ $reason }. 그러면 오늘 혼자 지급할 수 있는 { $most } 한도를 넘어요.
grant-changed = 그사이 { $who }님의 잔액이 바뀌어서 지급하지 않았어요.
taken = { $moderator }님이 { $who }님에게서 { $amount } 거뒀어요{ $reason }.
because = {" "}({ $reason })
grant-amount = “{ $text }”: 금액이 아니에요. 69, 5k, 1m처럼 입력해 주세요.
grant-signed = “{ $text }”: 지급할 수 있는 금액이 아니에요. 크레딧을 거두려면 이렇게 입력해 주세요: { $command }
grant-spaced = “{ $text }”: 두 가지로 읽힐 수 있어요. 하나의 금액이면 { $number }, 이유라면 앞에 --를 붙여 주세요.
grant-share = “{ $text }”: 비율로는 줄 수 없어요. 69, 5k, 1m처럼 입력해 주세요.
grant-most = 한 번에 최대 { $most }까지만 옮길 수 있어요.
grant-daily = 매니저는 하루에 최대 { $most }까지만 줄 수 있어요. 오늘 더 줄 수 있는 양: { $left }. 새 날까지 남은 시간: { $wait }.
take-short = { $who }님은 { $balance }뿐이라 거두지 않았어요.

# 누군가의 선택으로 생기는 크레딧
help-auditmint = 누군가의 선택으로 여기서 생기는 { currency } 내역을 최근 것부터 보여줘요. 지급, 가져오기, 포인트, 기본값보다 많이 주는 설정을 누가 골랐고 얼마가 누구에게 갔는지요. !audit mint로도 돼요.
option-auditmint-count = 몇 건을 볼지
raise-ask = { $who }님이 바꾸려고 해요: { $changes }. 멤버 { $members }명이 온다면 하루에 평소보다 약 { $credits } 더 생겨요.
raise-most = 멤버 { $members }명이 온다면 하루에 평소보다 약 { $credits } 더 생겨요. 하루 { $most }보다 많으면 방송인만 바꿀 수 있어요.
raise-changed = 그사이에 다른 것이 바뀌어서 아무것도 바꾸지 않았어요.
raise-tomorrow = 이렇게 늘어난 몫은 내일(UTC)부터 받을 수 있어요. 오늘은 이전 값만큼, 기본값이 더 적으면 기본값만큼 받아요.
raise-exempt = { $who }님은 방송인이라 늘어난 몫을 바로 받아요.
raise-not-you = 오늘 이 게임이 주는 몫을 늘렸으니 { $wait } 뒤에 다시 할 수 있어요.
consented = { $by }님이 확인했어요. !audit mint에 나와요.
audit-mint = 누군가의 선택으로 생기는 { currency }(최근 순): { $rows }
audit-mint-none = 여기서는 아직 누구도 { currency } 생기게 하는 선택을 하지 않았어요.
audit-mint-grant = #{ $number } { $moderator }님이 { $who }님에게, { $ago }: { $amount }{ $reason }{ $by }{ $undone }
audit-mint-import = #{ $number } { $moderator }님, { $ago }: 멤버 { $members }명에게 { $amount } 가져옴{ $reason }{ $undone }
audit-mint-crowd = #{ $number } { $moderator }님, { $ago }: { $changes }, 모두 { $amount }{ $reason }{ $by }{ $undone }
audit-mint-policy = #{ $number } { $moderator }님{ $as }, { $ago }: { $changes }{ $reason }{ $by }{ $undone }, 지금까지 { $amount } 생김{ $receivers }{ $over }
audit-mint-by = , { $who }님 확인
audit-mint-undone = , 되돌림
audit-mint-exempt = {" "}(방송인)
audit-mint-over = , { $ago } 다시 바뀜
audit-mint-receivers = {" "}({ $rows })
audit-mint-receiver = { $who }님 { $amount }

# 크레딧의 내역
help-history = 내 { currency } 잔액이 어디서 오고 어디로 갔는지, 그때마다 얼마가 남았는지 최근 것부터 보여줘요. 매니저는 다른 사람 것도 볼 수 있어요.
slash-history = 내 { currency } 잔액이 어디서 오고 어디로 갔는지 최근 것부터 보여줘요.
option-history-count = 몇 줄을 볼지
option-history-member = 누구의 내역인지. 비우면 내 것
history = { $who }님은 { $balance } 보유 중이에요. { $rows }
history-none = { $who }님은 아직 들어오거나 나간 것이 없어요.
history-unclear = “{ $text }”: 1부터 { $most }까지의 줄 수도 아니고, 여기서 아는 이름도 아니에요. 이렇게 입력해 주세요: { $example }
history-others = 다른 사람의 내역은 { $role }만 볼 수 있어요.
history-row = { $when }: { $what } { $change } → { $balance }
history-game = { $game } { $table }
history-game-beside = { $game } { $table } ({ $parts } 포함)
history-beside = { $why } { $change }
history-part = { $game } { $table }, { $why }
history-open = { $game } { $table }(진행 중)
history-gift-to = { $who }님에게 선물
history-gift-from = { $who }님의 선물
why-several = { $reasons }

why-welcome = 첫 지급
why-welcome-more = 첫 지급 추가분
why-welcome-returned = 두 번 받은 첫 지급 회수
why-season = 새 시즌
why-season-more = 새 시즌 추가분
why-grant = 매니저 지급
why-take = 매니저 회수
why-undo = 매니저 되돌리기
why-import = 다른 봇에서 가져옴
why-repair = 운영자가 장부를 바로잡음
why-inherit = 같은 이름으로 가져옴
why-link = 지갑 합치기·나누기
why-watch = 시청
why-watch-more = 시청 추가분
why-talk = 채팅
why-talk-more = 채팅 추가분
why-follow = 팔로우
why-follow-more = 팔로우 추가분
why-subscribe = 구독
why-subscribe-more = 구독 추가분
why-cheer = 응원
why-cheer-more = 응원 추가분
why-raid = 레이드
why-raid-more = 레이드 추가분
why-claim = 매일 보상
why-claim-more = 매일 보상 추가분
why-upkeep = 유지비
why-allowance = 하우스가 빌려줌
why-voucher = 포인트로 낸 판돈
why-bankroll = 하우스 자금
why-cover = 하우스가 채움
why-refund = 판돈 환불
why-gift = 선물
why-stake = 판돈
why-stake-returned = 판돈 환불
why-winnings = 딴 것
why-loss = 잃은 것
why-won = 딴 것
why-back = 판돈 환불

# 순위
help-rank = 전체에서 내 순위와 바로 앞사람과의 차이를 보여줘요. 다른 사람 것도 볼 수 있어요.
help-career = 게임이 기억하는 내 경력을 보여줘요. 은행털이의 직장, 예금, 경비원, 승산 같은 것. 다른 사람 것도 볼 수 있어요.
slash-career = 게임이 기억하는 내 경력이나 다른 사람의 경력을 보여줘요.
option-rank-member = 누구의 순위인지. 비우면 내 것
option-career-member = 누구의 경력인지. 비우면 내 것
rank = { $who }님은 { $members }명 중 { $place }위, { $balance } 보유 중이에요{ $gap }. { $details }
rank-gap = {" "}(바로 앞사람과의 차이 { $gap })
rank-presence = 시청 { $hours ->
    [0] { $minutes }분
   *[other] { $hours }시간 { $minutes }분
  }, 채팅 { $messages }번.
rank-title = 등급: { $title }.
rank-next-title = 다음 등급 { $title }: { $amount }부터.
rank-regular = 단골이에요.
rank-no-regular = 아직 단골은 아니에요.
rank-gone = 지금은 여기에 없어요.
rank-none = { $who }님은 여기 순위에서 빠져 있어요.
career-none = 여기에는 경력을 기억하는 게임이 없어요.

# 플랫폼 포인트로 낸 판돈
voucher-other-stake = 이 판의 판돈이 포인트로 낸 것과 달라요.
voucher-no-lobby = 포인트로는 할 수 없는 게임이에요. ({ $game })
voucher-already-in = 이미 참가하고 계세요.
voucher-returned = { $why } 포인트는 돌려드려요.
voucher-spent = 판돈을 포인트로 내셨는데, 모집이 끝나면서 포인트는 이미 쓰였어요. 그래서 빠지시면 아무것도 돌아오지 않아요. 다른 행동을 고르면 다시 참가해요.
